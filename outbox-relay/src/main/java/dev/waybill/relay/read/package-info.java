/**
 * What waits.
 *
 * <p>One statement reads all destinations that are due. {@link dev.waybill.relay.read.Floors} keeps reads cheap beside old
 * transactions: it says below which value no row waits and none can come any more. A floor of 0 is always right.
 *
 * <ol>
 *   <li>Only a read raises a floor, when its rows are in memory, and not above the last row of a read that was cut.
 *   <li>A destination that was not asked, or of which a full lane was left out, keeps its floor.
 *   <li>A row that leaves memory without being deleted takes the floor back below it.
 *   <li>Another server, or counters that went back, set all floors to 0.
 *   <li>A row is not sent before the server has flushed its log past it.
 * </ol>
 */
@NullMarked
package dev.waybill.relay.read;

import org.jspecify.annotations.NullMarked;
