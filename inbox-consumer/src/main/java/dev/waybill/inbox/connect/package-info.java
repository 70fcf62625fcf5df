/**
 * The caller's pool, adapted for the consumer. Depends on no other package of the inbox.
 *
 * <ol>
 *   <li>Every connection has a limit on the database's answers, which is lifted before the connection returns to the pool.
 *   <li>A connection in its caller's transaction is rejected.
 *   <li>A handler cannot commit, roll back or close its connection.
 *   <li>A commit that PostgreSQL turned into a rollback is an error.
 * </ol>
 */
@NullMarked
package dev.waybill.inbox.connect;

import org.jspecify.annotations.NullMarked;
