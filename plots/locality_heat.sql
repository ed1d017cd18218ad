-- Locality measure L(w, n) of lane accesses, per SM: heat maps
-- After XI, Figs. 54-56. Needs the view of sweeps/locality_surface.json.
SELECT iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS panel,
       'L(w, n)' AS series,
       log2(locality_window) AS window_log2,
       iif(locality IS NULL, NULL, log2(locality_neighbourhood_B)) AS neighbourhood_log2, -- nowhere, if it is unknown
       locality
FROM locality_surface_by_kernel
WINDOW same_name AS (PARTITION BY kernel)
ORDER BY trace, kernel, locality_neighbourhood_B, locality_window;
