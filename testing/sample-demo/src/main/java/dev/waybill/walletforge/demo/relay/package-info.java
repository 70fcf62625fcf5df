/**
 * The relay in a process of its own, so that it can be killed: how the demo starts such a process, and what runs in it.
 *
 * <p>Addresses travel in environment variables, because command lines can be read by every user of a machine. The process
 * ends when its standard input does, so it cannot outlive the demo, however that ends.
 */
@NullMarked
package dev.waybill.walletforge.demo.relay;

import org.jspecify.annotations.NullMarked;
