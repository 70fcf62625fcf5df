/** Measures the cost of the inbox for the database, without a broker. */
@NullMarked
package dev.waybill.benchmarks.inbox;

import org.jspecify.annotations.NullMarked;
