/** What every part of the service stands on: its database, its Service Bus, and JSON. */
@NullMarked
package dev.waybill.walletforge.installation;

import org.jspecify.annotations.NullMarked;
