/**
 * Removes every copy of the messages that orders name.
 *
 * <p>First the orders are on the disk. Then transactions end that have not seen them. Then passes visit the tables in the order in which
 * messages move through them, until one finds nothing.
 */
@NullMarked
package dev.waybill.deadletter.erase;

import org.jspecify.annotations.NullMarked;
