-- How divergent are the kernels: 128-byte lines per memory instruction, sectors per line?
SELECT t.name AS trace, k.short_name AS kernel, count(*) AS launches,
       sum(memory_instructions) AS memory_instructions,
       1.0 * sum(requests) / sum(memory_instructions) AS lines_per_instruction,
       1.0 * sum(sectors) / sum(requests) AS sectors_per_line
FROM kernel k JOIN trace t ON t.id = k.trace
GROUP BY k.trace, k.short_name
ORDER BY lines_per_instruction DESC;
