/**
 * Rules of an application that decide about open dead letters.
 *
 * <p>Begin with {@link dev.waybill.deadletter.repair.RepairJob}. It edits, discards and re-drives through the API of the package
 * above, so that each decision has its audit row.
 */
@NullMarked
package dev.waybill.deadletter.repair;

import org.jspecify.annotations.NullMarked;
