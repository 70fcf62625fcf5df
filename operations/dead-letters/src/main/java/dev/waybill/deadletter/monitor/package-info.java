/** Alerts about dead letters, which begin with {@link dev.waybill.deadletter.monitor.DeadLetterMonitor}. Only reads. */
@NullMarked
package dev.waybill.deadletter.monitor;

import org.jspecify.annotations.NullMarked;
