package dev.waybill.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * An application event that is appended to the outbox when it is published: {@code publisher.publishEvent(event)} inside a transaction.
 * Outside one, {@code publishEvent} throws {@link dev.waybill.outbox.NoTransactionException}. Other listeners get the event as well.
 *
 * <p>The body is the event, as a {@link BodyConverter} writes it. {@code id} and {@code session} are SpEL expressions on the event, which
 * read properties and call methods; a failing expression, or one that is null, fails {@code publishEvent}.
 *
 * <pre>{@code
 * @OutboxEvent(destination = "orders", id = "'placed-' + number", session = "customer")
 * record OrderPlaced(String number, String customer) {}
 * }</pre>
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface OutboxEvent {
    /** The queue or topic. May contain placeholders. */
    String destination();

    /** The message's id, from a business key: {@link dev.waybill.outbox.OutboxMessage.Builder#id}. */
    String id();

    /** The session. Default: none. */
    String session() default "";
}
