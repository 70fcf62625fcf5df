/** The installation of a run, which may share a namespace with the remains of others. */
@NullMarked
package dev.waybill.walletforge.demo.installation;

import org.jspecify.annotations.NullMarked;
