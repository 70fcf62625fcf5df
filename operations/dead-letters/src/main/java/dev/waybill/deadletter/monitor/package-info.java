/**
 * Alerts about dead letters: how many are open, how old they are, how fast they arrive, and entities without a collector.
 *
 * <p>Begin with {@link dev.waybill.deadletter.monitor.DeadLetterMonitor}. It only reads, through the API of the package above.
 */
@NullMarked
package dev.waybill.deadletter.monitor;

import org.jspecify.annotations.NullMarked;
