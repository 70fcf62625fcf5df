/** Meters and traces of the relay and the consumers in a service of Spring Boot's. */
@NullMarked
package dev.waybill.spring.instruments;

import org.jspecify.annotations.NullMarked;
