/**
 * Loops that survive failures and log them once, for the modules of Waybill. These types may change with any release. A
 * {@link dev.waybill.supervision.SupervisedLoop} repeats its turn until it is stopped. A {@link dev.waybill.supervision.Fault}
 * logs a recurring failure and its end in one line each, an {@link dev.waybill.supervision.Outage} for all loops that use one
 * database.
 */
@NullMarked
package dev.waybill.supervision;

import org.jspecify.annotations.NullMarked;
