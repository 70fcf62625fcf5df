/** How a service of Spring Boot's reaches Service Bus. */
@NullMarked
package dev.waybill.spring.servicebus;

import org.jspecify.annotations.NullMarked;
