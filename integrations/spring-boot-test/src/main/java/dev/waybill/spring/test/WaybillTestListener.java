package dev.waybill.spring.test;

import java.util.List;
import java.util.stream.Stream;
import org.springframework.context.ApplicationContext;
import org.springframework.context.Lifecycle;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/** Removes the messages of one test before the next. */
final class WaybillTestListener implements TestExecutionListener {
    @Override
    public void beforeTestMethod(TestContext test) throws Exception {
        if (test.hasApplicationContext()) {
            ApplicationContext context = test.getApplicationContext();
            TestPlaces places = context.getBeanProvider(TestPlaces.class).getIfAvailable();
            if (places != null) {
                places.startAnew(atWork(context));
                context.getBean(ServiceConsumers.class).all();
            }
        }
    }

    private static List<Lifecycle> atWork(ApplicationContext context) {
        return Stream.of("waybillRelay", "waybillConsumers")
                .filter(context::containsBean)
                .map(name -> context.getBean(name, Lifecycle.class))
                .filter(Lifecycle::isRunning)
                .toList();
    }
}
