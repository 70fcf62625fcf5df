/** Rules of an application that decide about dead letters, run by a {@link dev.waybill.deadletter.repair.RepairJob}. */
@NullMarked
package dev.waybill.deadletter.repair;

import org.jspecify.annotations.NullMarked;
