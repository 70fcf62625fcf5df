/**
 * The life of the standalone relay.
 *
 * <pre>
 *   start ──▶ each outbox: starting ──tables and database there──▶ running ──SIGTERM──▶ draining ──▶ handed over
 *                            ▲   │
 *                            └───┘ tried again, with rests that grow: one database delays no other
 * </pre>
 */
@NullMarked
package dev.waybill.standalone.service;

import org.jspecify.annotations.NullMarked;
