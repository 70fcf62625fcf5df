package dev.waybill.relay;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long a lease is, and the clock by which this process trusts it.
 *
 * @param duration that the database grants
 * @param nanoTime nanoseconds since some moment, never going back
 */
record LeaseClock(Duration duration, LongSupplier nanoTime) {}
