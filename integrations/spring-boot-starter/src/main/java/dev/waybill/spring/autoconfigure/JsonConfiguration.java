package dev.waybill.spring.autoconfigure;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/** How bodies are read: by the mapper that the service has, the newer one if it has both. */
@Configuration(proxyBeanMethods = false)
class JsonConfiguration {
    @Order(1)
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "tools.jackson.databind.ObjectMapper")
    @ConditionalOnBean(type = "tools.jackson.databind.ObjectMapper")
    static class Jackson3 {
        @Bean
        JsonReader waybillJsonReader(ObjectProvider<tools.jackson.databind.ObjectMapper> mapper) {
            return new Jackson3Reader(mapper.getObject());
        }
    }

    @Order(2)
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "com.fasterxml.jackson.databind.ObjectMapper")
    @ConditionalOnBean(type = "com.fasterxml.jackson.databind.ObjectMapper")
    @ConditionalOnMissingBean(JsonReader.class)
    static class Jackson2 {
        @Bean
        JsonReader waybillJsonReader(ObjectProvider<com.fasterxml.jackson.databind.ObjectMapper> mapper) {
            return new Jackson2Reader(mapper.getObject());
        }
    }
}
