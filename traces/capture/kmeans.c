/* Rodinia's KMEANS: the assignment of points to clusters. */
#include "host.h"

#include <stdlib.h>

enum { POINTS = 8000, FEATURES = 34, CLUSTERS = 5, BLOCK = 256, BLOCKS = (POINTS + BLOCK - 1) / BLOCK };

static void reference(const float *features, const float *clusters, int32_t *membership) {
    for (size_t point = 0; point < POINTS; point++) {
        double least = 1e30;
        for (size_t c = 0; c < CLUSTERS; c++) {
            double distance = 0;
            for (size_t f = 0; f < FEATURES; f++) {
                const double difference =
                    (double)features[f * POINTS + point] - (double)clusters[c * FEATURES + f];
                distance += difference * difference;
            }
            if (distance >= least) continue;
            least = distance;
            membership[point] = (int32_t)c;
        }
    }
}

int main(int argc, char **argv) {
    const int points = POINTS, cluster_count = CLUSTERS, feature_count = FEATURES;
    float *features = host_numbers((size_t)POINTS * FEATURES, 1),
          *clusters = host_numbers(CLUSTERS * FEATURES, 2);
    int32_t *membership = host_allocate(POINTS, sizeof *membership);
    int32_t *expected = host_allocate(POINTS, sizeof *expected);
    reference(features, clusters, expected);

    host_open(argc, argv);
    host_memory device_features = host_buffer(sizeof(float) * POINTS * FEATURES, features);
    host_memory device_clusters = host_buffer(sizeof(float) * CLUSTERS * FEATURES, clusters);
    host_memory device_membership = host_buffer(sizeof *membership * POINTS, NULL);
    HOST_LAUNCH("kmeans", BLOCK * BLOCKS, 1, BLOCK, 1, HOST_ARG(device_features), HOST_ARG(device_clusters),
                HOST_ARG(device_membership), HOST_ARG(points), HOST_ARG(cluster_count),
                HOST_ARG(feature_count));
    host_read(device_membership, sizeof *membership * POINTS, membership);
    host_close();

    host_expect_ints("membership", membership, expected, POINTS);
    free(features), free(clusters), free(membership), free(expected);
    return EXIT_SUCCESS;
}
