/** The archive: all events for six weeks, by way of an auto-forwarded queue. */
@NullMarked
package dev.waybill.walletforge.archive;

import org.jspecify.annotations.NullMarked;
