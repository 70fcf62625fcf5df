package dev.waybill.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.core.annotation.AliasFor;

/**
 * A test of the whole service, as {@link SpringBootTest}, with a database and a broker of its own.
 *
 * <p>The data source of {@code spring.datasource} is a new database with Waybill's tables. The broker has the
 * entities that {@code waybill.destinations} and {@code waybill.consumers} name. Relay and consumers are stopped: a test
 * publishes and handles by calls of {@link dev.waybill.test.TestWaybill} and {@link ServiceConsumers}, which return when
 * the work is done. Before each test the extension removes all messages, but no rows of the service's own tables.
 *
 * <pre>{@code
 * @WaybillTest
 * class ShopTest {
 *     @Test
 *     void an_order_takes_from_the_stock(
 *             @Autowired Shop shop, @Autowired TestWaybill waybill, @Autowired ServiceConsumers consumers) { ... }
 * }
 * }</pre>
 *
 * <p>Tests of one context must not run side by side.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest
public @interface WaybillTest {
    /** Properties of the test, as {@code name=value}. */
    @AliasFor(annotation = SpringBootTest.class)
    String[] properties() default {};

    /** The configuration classes. Default: the one with {@code @SpringBootConfiguration}. */
    @AliasFor(annotation = SpringBootTest.class)
    Class<?>[] classes() default {};

    /** The web environment. Default: a mock. */
    @AliasFor(annotation = SpringBootTest.class)
    WebEnvironment webEnvironment() default WebEnvironment.MOCK;

    /** Whether relay and consumers run in the background. */
    boolean background() default false;
}
