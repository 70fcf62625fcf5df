/**
 * Creates Waybill's tables and grants the rights on them.
 *
 * <p>The scripts stand under a location of their own and are recorded in a Flyway history table of their own, so that they
 * never meet the application's.
 */
@NullMarked
package dev.waybill.migrations;

import org.jspecify.annotations.NullMarked;
