/**
 * The service by one command, with a page that breaks what it stands on: the relay's process, the broker, the database. The
 * page is for this machine's own browser; it is served on loopback alone.
 */
@NullMarked
package dev.waybill.walletforge.demo.serve;

import org.jspecify.annotations.NullMarked;
