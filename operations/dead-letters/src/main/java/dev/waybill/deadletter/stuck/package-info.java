/** One view of dead letters and held messages: {@link dev.waybill.deadletter.stuck.StuckMessages}. */
@NullMarked
package dev.waybill.deadletter.stuck;

import org.jspecify.annotations.NullMarked;
