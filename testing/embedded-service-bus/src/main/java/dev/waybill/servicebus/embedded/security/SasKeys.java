package dev.waybill.servicebus.embedded.security;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/** The namespace's shared access keys and their signatures. Immutable. */
final class SasKeys {
    private final Map<String, AccessKey> keys;

    SasKeys(Map<String, AccessKey> keys) {
        this.keys = Map.copyOf(keys);
    }

    /**
     * Rejects a signature of an unknown key.
     *
     * @param signature without its first word
     */
    Grant read(String signature) {
        Map<String, String> fields = fields(signature);
        AccessKey key = keys.get(fields.getOrDefault("skn", ""));
        String expiry = fields.getOrDefault("se", "");
        String signed = encoded(signature, "sr") + "\n" + expiry;
        if (key == null || !Signatures.same(signature(key.secret(), signed), fields.getOrDefault("sig", ""))) {
            throw Authority.denied("Invalid signature.");
        }
        if (!expiry.matches("\\d{1,18}")) {
            throw Authority.denied("The token has expired.");
        }
        return new Grant(path(fields.getOrDefault("sr", "")), key.rights(), Long.parseLong(expiry));
    }

    private static String signature(String key, String text) {
        return Base64.getEncoder().encodeToString(Signatures.of(key.getBytes(StandardCharsets.UTF_8), text));
    }

    private static Map<String, String> fields(String query) {
        Map<String, String> fields = new HashMap<>();
        for (String pair : query.split("&", -1)) {
            int at = pair.indexOf('=');
            if (at > 0) {
                // A repeated field could be signed with one value and read with another.
                if (fields.put(pair.substring(0, at), decode(pair.substring(at + 1))) != null) {
                    throw Authority.denied("The token is malformed.");
                }
            }
        }
        return fields;
    }

    private static String decode(String value) {
        try {
            return URLDecoder.decode(value, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw Authority.denied("The token is malformed.");
        }
    }

    /** The signed text contains the resource as encoded in the token. */
    private static String encoded(String signature, String field) {
        for (String pair : signature.split("&", -1)) {
            if (pair.startsWith(field + "=")) {
                return pair.substring(field.length() + 1);
            }
        }
        return "";
    }

    private static String path(String resource) {
        try {
            String path = resource.contains("://") ? URI.create(resource).getPath() : resource;
            String rest = path.startsWith("/") ? path.substring(1) : path;
            return rest.endsWith("/") ? rest.substring(0, rest.length() - 1) : rest;
        } catch (IllegalArgumentException e) {
            throw Authority.denied("The token is malformed.");
        }
    }
}
