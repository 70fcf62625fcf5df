package dev.waybill.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method of a bean that handles messages, each in Spring's transaction together with the record that it was
 * handled.
 *
 * <p>The method takes the {@link dev.waybill.inbox.InboundMessage}, the body, or both, in any order. The body is
 * given as a {@code String}, as a {@code byte[]}, or as an object of any other type, which a {@link BodyConverter} reads. The method returns nothing,
 * for messages that are done when it returns, or a {@link dev.waybill.inbox.Verdict}. An exception rolls back and
 * has the message tried again.
 *
 * <pre>{@code
 * @InboxHandler(destination = "orders", subject = "OrderPlaced")
 * void placed(OrderPlaced order) {
 *     invoices.write(order);
 * }
 * }</pre>
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface InboxHandler {
    /**
     * The queue, or {@code topic/subscription}. One of {@code waybill.consumers} has to receive from it. May
     * contain placeholders.
     */
    String destination();

    /** The subject of the messages. Default: the names in the {@link MessageType} of the body's class; without it, all that no other
     * method of the destination handles. */
    String subject() default "";
}
