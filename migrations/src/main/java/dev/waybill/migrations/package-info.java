/**
 * The tables of Waybill: where they live, how they come to be, and their generated jOOQ classes.
 *
 * <p>All of them stand in one schema of their own, by default {@code waybill}, with a Flyway history table of their own
 * and scripts under a location of their own, so that neither Flyway nor the tables can meet those of the application.
 */
@NullMarked
package dev.waybill.migrations;

import org.jspecify.annotations.NullMarked;
