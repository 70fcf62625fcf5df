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

{{- define "waybill.config" -}}
{{ .Values.existingConfigMap | default (printf "%s-config" .Release.Name) }}
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

{{- define "waybill.volumes" -}}
- name: config
  configMap:
    name: {{ include "waybill.config" .root | quote }}
- name: secrets
  {{- if .secret }}
  secret:
    secretName: {{ .secret | quote }}
    defaultMode: 0440
  {{- else }}
  emptyDir: {}
  {{- end }}
- name: tmp
  emptyDir:
    sizeLimit: 64Mi
{{- end }}

{{/* The role in place of the configuration's. */}}
{{- define "waybill.user" -}}
- name: WAYBILL_DATABASE_{{ .database | upper | replace "-" "_" }}_USER
  value: {{ .user | quote }}
{{- end }}
