/** The service's HTTP API. */
@NullMarked
package dev.waybill.walletforge.http;

import org.jspecify.annotations.NullMarked;
