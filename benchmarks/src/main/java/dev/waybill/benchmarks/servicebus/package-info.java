/** Benchmarks that talk to a broker through the Azure SDK. */
@NullMarked
package dev.waybill.benchmarks.servicebus;

import org.jspecify.annotations.NullMarked;
