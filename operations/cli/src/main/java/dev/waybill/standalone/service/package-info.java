/**
 * The life of the standalone relay.
 *
 * <pre>
 *   start ──▶ each outbox: starting ──tables and database there──▶ running ──SIGTERM──▶ draining ──▶ stopped
 *                            ▲   │
 *                            └───┘ retried with growing back-off, independently for each database
 * </pre>
 */
@NullMarked
package dev.waybill.standalone.service;

import org.jspecify.annotations.NullMarked;
