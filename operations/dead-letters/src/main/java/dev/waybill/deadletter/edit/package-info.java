/**
 * Decisions of operators: edit, discard, release, reopen.
 *
 * <p>An edit keeps the former version. It changes neither ids nor a session, and makes no message unsendable.
 */
@NullMarked
package dev.waybill.deadletter.edit;

import org.jspecify.annotations.NullMarked;
