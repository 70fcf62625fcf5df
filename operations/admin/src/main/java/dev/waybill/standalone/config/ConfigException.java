package dev.waybill.standalone.config;

import java.util.List;

/** An invalid configuration. The message lists every problem. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ConfigException(String problem) {
        super(problem);
    }

    public ConfigException(List<String> problems) {
        super(String.join("\n", problems));
    }
}
