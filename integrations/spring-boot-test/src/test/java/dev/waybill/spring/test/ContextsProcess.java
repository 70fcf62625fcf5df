package dev.waybill.spring.test;

import java.util.Map;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.MergedContextConfiguration;

/** The end of a JVM with two contexts that tests have left open, as those of {@link WaybillTest} are kept. */
final class ContextsProcess {
    private ContextsProcess() {}

    public static void main(String[] arguments) {
        for (String background : new String[] {"true", "false"}) {
            new SpringApplicationBuilder(WhatTestsLeaveBehindTest.Service.class)
                    .web(WebApplicationType.NONE)
                    .initializers(context -> customize(context, Boolean.parseBoolean(background)))
                    .run();
        }
        System.exit(0);
    }

    private static void customize(ConfigurableApplicationContext context, boolean background) {
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        "process",
                        Map.of(
                                "waybill.destinations.letters.sessions",
                                "false",
                                "waybill.consumers.reader.queue",
                                "letters")));
        new WaybillTestCustomizer(background)
                .customizeContext(
                        context, new MergedContextConfiguration(ContextsProcess.class, null, null, null, null));
    }
}
