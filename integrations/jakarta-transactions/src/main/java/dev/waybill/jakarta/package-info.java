/**
 * Waybill in the transactions of {@code jakarta.transaction}: those of Quarkus, Jakarta EE servers and Narayana.
 *
 * <ul>
 *   <li>{@link dev.waybill.jakarta.JakartaTransaction}: {@code outbox.append(message)} joins the calling thread's transaction.
 *   <li>{@link dev.waybill.jakarta.JakartaTransactionBoundary}: a consumer's handler, the services that it calls and the
 *       message's id are one transaction.
 * </ul>
 *
 * <p>Both need a data source that the transaction manager knows: its connections are enlisted in the thread's transaction. The
 * consumer and the relay may have the same one, as long as it hands out plain connections to threads without a
 * transaction, as Agroal does.
 */
@NullMarked
package dev.waybill.jakarta;

import org.jspecify.annotations.NullMarked;
