/**
 * Decisions of operators about single letters: edit, discard, release, reopen.
 *
 * <ol>
 *   <li>An edit stores the former version of the content.
 *   <li>An edit changes neither the ids nor a session, and makes no message unsendable.
 *   <li>States change a thousand letters a transaction.
 * </ol>
 */
@NullMarked
package dev.waybill.deadletter.edit;

import org.jspecify.annotations.NullMarked;
