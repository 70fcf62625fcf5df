/**
 * Transfers between two wallets: a saga over two sessions, since no transaction may hold both wallets.
 *
 * <pre>
 *   session of the payer       transfer-debit ──▶ transfer-confirm ┄┄ deferred ┄┄▶ completed, or the money is given back
 *                                    │                                  ▲
 *   session of the payee             └──▶ transfer-credit ── resumes ───┘
 * </pre>
 *
 * <p>Each step is a message, handled once, that appends the next one in its own transaction. Whatever crashes, the saga goes on
 * from the last step that committed.
 */
@NullMarked
package dev.waybill.walletforge.transfer;

import org.jspecify.annotations.NullMarked;
