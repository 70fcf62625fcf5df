/**
 * Proves that a handler has its effects once, whatever happens.
 *
 * <pre>
 *   undisturbed run ──▶ steps of each message, tables and probes as they should be
 *        │ again: anything that differs is not repeatable
 *        ▼
 *   one run for each disturbance: restore the tables, deliver all messages, disturb one attempt, deliver it again
 *        ▼
 *   tables, probes and fates as in the undisturbed run?   ──no──▶ a fault, named by what was disturbed
 * </pre>
 *
 * <p>A process that ends is a {@code HandlerProcess} whose connections are cut and whose handler is thrown away.
 * The handler's transaction records the message's id in the inbox, as a consumer does. Statements are counted by
 * watching the connections of the data source that the handler is given.
 */
@NullMarked
package dev.waybill.test.proof;

import org.jspecify.annotations.NullMarked;
