/**
 * What failures mean and how they are reported. Knows no other package of the inbox.
 *
 * <p>{@code DatabaseErrors} is the only place that names states of SQL errors that are expected. Text for dead letters is trimmed to
 * what the broker and PostgreSQL take.
 */
@NullMarked
package dev.waybill.inbox.failure;

import org.jspecify.annotations.NullMarked;
