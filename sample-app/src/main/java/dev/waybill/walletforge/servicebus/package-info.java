@NullMarked
package dev.waybill.walletforge.servicebus;

import org.jspecify.annotations.NullMarked;
