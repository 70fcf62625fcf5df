/** The environment of a benchmark: a PostgreSQL server, schemas of its own, the server's CPU time. */
@NullMarked
package dev.waybill.benchmarks.environment;

import org.jspecify.annotations.NullMarked;
