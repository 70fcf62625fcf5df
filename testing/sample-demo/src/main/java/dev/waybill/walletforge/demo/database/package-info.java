/** The application's own tables, beside Waybill's: a pair of schemas per run, made by the application's own migration. */
@NullMarked
package dev.waybill.walletforge.demo.database;

import org.jspecify.annotations.NullMarked;
