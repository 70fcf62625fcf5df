/**
 * The bus: embedded, or a given one. The only package that names types of the Azure SDK, and the one that tells the
 * checker what the broker saw.
 */
@NullMarked
package dev.waybill.walletforge.demo.servicebus;

import org.jspecify.annotations.NullMarked;
