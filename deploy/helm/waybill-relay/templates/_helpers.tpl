{{- define "waybill.labels" -}}
app.kubernetes.io/name: waybill-relay
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end }}

{{- define "waybill.selector" -}}
app.kubernetes.io/name: waybill-relay
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: relay
{{- end }}

{{- define "waybill.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{/* A name that follows from the configuration: another configuration is another ConfigMap, and so a rollout. */}}
{{- define "waybill.config" -}}
{{- if .Values.existingConfigMap -}}
{{ .Values.existingConfigMap }}
{{- else -}}
{{ .Release.Name }}-config-{{ .Values.config | toYaml | sha256sum | trunc 10 }}
{{- end -}}
{{- end }}

{{- define "waybill.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "waybill.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "waybill.mounts" -}}
- name: config
  mountPath: /etc/waybill
  readOnly: true
- name: secrets
  mountPath: /run/secrets/waybill
  readOnly: true
- name: tmp
  mountPath: /tmp
{{- end }}

{{/* The tables' owner, in place of the configuration's user. */}}
{{- define "waybill.ownerEnvironment" -}}
{{- $name := .Values.migrations.database | upper | replace "-" "_" -}}
- name: WAYBILL_DATABASE_{{ $name }}_USER
  value: {{ .Values.migrations.user | quote }}
{{- end }}
