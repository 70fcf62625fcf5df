/**
 * Reads pending rows. One statement reads all due destinations; {@link dev.waybill.relay.read.Floors} keep it cheap beside old
 * transactions.
 *
 * <ol>
 *   <li>Only a read raises a floor, once its rows are in memory, and not above the last row of a partial read.
 *   <li>A destination that was not read, or without its full lanes, keeps its floor.
 *   <li>A row that leaves memory without being deleted lowers the floor below it.
 *   <li>Another server, or counters that went back, reset all floors to 0.
 *   <li>A row is sent only after the server has flushed its log past it.
 * </ol>
 */
@NullMarked
package dev.waybill.relay.read;

import org.jspecify.annotations.NullMarked;
