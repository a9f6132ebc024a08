{{- define "tenon.labels" -}}
app.kubernetes.io/name: tenon
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
{{- define "tenon.selector" -}}
app.kubernetes.io/name: tenon
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "tenon.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}{{ .Values.serviceAccount.name | default .Release.Name }}{{- end }}
{{- if not .Values.serviceAccount.create }}{{ .Values.serviceAccount.name | default "default" }}{{- end }}
{{- end }}
