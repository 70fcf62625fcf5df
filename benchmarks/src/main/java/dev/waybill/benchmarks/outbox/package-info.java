/** Benchmarks of the writer, the cursor and the tables; nothing here knows the Azure SDK. */
@NullMarked
package dev.waybill.benchmarks.outbox;

import org.jspecify.annotations.NullMarked;
