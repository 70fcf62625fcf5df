/**
 * Boot's configuration of Waybill: properties, beans, and the order in which relay and consumers start and stop.
 *
 * <p>Both generations of Boot are served. A type that has moved between them is named by text, or has a class for each.
 */
@NullMarked
package dev.waybill.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
