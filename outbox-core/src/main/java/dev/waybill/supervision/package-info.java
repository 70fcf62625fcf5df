/**
 * Threads that go on whatever happens, for the modules of Waybill. Not meant for applications: these types may
 * change with any release.
 *
 * <p>A {@link dev.waybill.supervision.SupervisedLoop} takes turn after turn. An exception or error of a turn is logged and
 * counted, and the next turn follows after a rest. Only a stop that was asked for ends the loop.
 *
 * <p>A {@link dev.waybill.supervision.Fault} tells a failure and its end in one line each, whatever the number of repeats; an
 * {@link dev.waybill.supervision.Outage} does so for all loops that need the same database.
 */
@NullMarked
package dev.waybill.supervision;

import org.jspecify.annotations.NullMarked;
