package dev.waybill.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The name of a type in messages, which stays when the class is renamed. An {@linkplain dev.waybill.outbox.OutboxMessage.Builder#body(Object)
 * object as a body} has it as the message's subject; without this annotation, the class's simple name. A method with {@link InboxHandler}
 * that takes such an object and names no subject handles the messages of these names.
 *
 * <pre>{@code
 * @MessageType(value = "OrderPlaced", version = 2, formerly = "OrderCreated")
 * record OrderPlaced(String number, String currency) {}
 * }</pre>
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface MessageType {
    /** The header with the {@link #version}. */
    String VERSION_HEADER = "type-version";

    /** The name. */
    String value();

    /** The version of the type's form, in the header {@value #VERSION_HEADER}. Default: 0, for no header. */
    int version() default 0;

    /** Names that messages under way or in the archive may still have; handlers take them, too. */
    String[] formerly() default {};
}
