/**
 * Connections of the caller's pool as the consumer needs them. Knows no other package of the inbox.
 *
 * <ol>
 *   <li>Every connection has a limit on how long the database may say nothing, which is lifted before it goes back.
 *   <li>A connection in a transaction of its caller is refused.
 *   <li>Handlers have at most as many connections at once as there are workers, in the order in which they asked.
 *   <li>A handler cannot commit, roll back or close its connection. A commit that PostgreSQL turned into a rollback is an error.
 * </ol>
 */
@NullMarked
package dev.waybill.inbox.connect;

import org.jspecify.annotations.NullMarked;
