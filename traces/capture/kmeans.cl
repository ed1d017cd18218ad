/* Each point's nearest cluster, a thread per point as in Rodinia's KMEANS: the features lie feature by feature,
 * so that the lanes of a warp read neighbours, and all of them the same cluster. */
kernel void kmeans(global const float *features, global const float *clusters, global int *membership,
                   int points, int cluster_count, int feature_count) {
    const int point = get_global_id(0);
    if (point >= points) return;
    int nearest = 0;
    float least = FLT_MAX;
    for (int c = 0; c < cluster_count; c++) {
        float distance = 0.0f;
        for (int f = 0; f < feature_count; f++) {
            const float difference = features[f * points + point] - clusters[c * feature_count + f];
            distance += difference * difference;
        }
        if (distance < least) {
            least = distance;
            nearest = c;
        }
    }
    membership[point] = nearest;
}
