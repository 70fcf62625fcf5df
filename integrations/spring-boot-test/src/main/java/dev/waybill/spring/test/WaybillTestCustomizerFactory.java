package dev.waybill.spring.test;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Finds {@link WaybillTest} on test classes, and on those around nested ones. */
final class WaybillTestCustomizerFactory implements ContextCustomizerFactory {
    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
        WaybillTest test = TestContextAnnotationUtils.findMergedAnnotation(testClass, WaybillTest.class);
        return test == null ? null : new WaybillTestCustomizer(test.background());
    }
}
