/** Notifies customers: an effect outside the database, made idempotent by a key. */
@NullMarked
package dev.waybill.walletforge.notification;

import org.jspecify.annotations.NullMarked;
