// The theme of VitePress in the colours of the console.
import theme from 'vitepress/theme'
import './colours.css'

export default theme
